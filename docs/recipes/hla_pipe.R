#!/usr/bin/env Rscript
# Reduces typings through one `hla pipe`:  Rscript hla_pipe.R [METHOD] < typings.txt
# Needs jsonlite; hla_table.R does without.
suppressPackageStartupMessages(library(jsonlite))

arguments <- commandArgs(trailingOnly = TRUE)
method <- if (length(arguments) > 0) arguments[[1]] else "lgx"

# One request a line, one answer a line, in order.
ask_hla <- function(requests) {
  lines <- vapply(requests, function(request) as.character(toJSON(request, auto_unbox = TRUE)), "")
  answers <- suppressWarnings(system2("hla", c("pipe", "--quiet"), input = lines, stdout = TRUE))
  status <- attr(answers, "status")
  # hla itself has said why, on standard error
  if (!is.null(status)) {
    message("hla has ended with status ", status)
    quit(status = status)
  }
  lapply(answers, fromJSON)
}

input <- file("stdin")
typings <- trimws(readLines(input))
close(input)
answers <- ask_hla(lapply(typings, function(typing) {
  list(op = "redux", gl_string = typing, reduction_method = method)
}))

failed <- FALSE
for (at in seq_along(typings)) {
  error <- answers[[at]]$error
  if (!is.null(error)) {
    failed <- TRUE
    message(paste0(typings[[at]], ": ", error$message, " [", error$code, "] ", paste(error$suggestions, collapse = " ")))
  }
  cat(typings[[at]], if (is.null(error)) answers[[at]]$ard else "", sep = "\t")
  cat("\n")
}
quit(status = if (failed) 1 else 0)
