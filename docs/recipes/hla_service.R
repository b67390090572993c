#!/usr/bin/env Rscript
# Reduces typings through a service, the one at HLA_URL:  Rscript hla_service.R [METHOD] < typings.txt
# Needs jsonlite and curl(1).
suppressPackageStartupMessages(library(jsonlite))

arguments <- commandArgs(trailingOnly = TRUE)
method <- if (length(arguments) > 0) arguments[[1]] else "lgx"
url <- Sys.getenv("HLA_URL", "http://127.0.0.1:8080")

# Many requests at once: one a line, one answer a line, in order.
ask_service <- function(requests) {
  body <- tempfile(fileext = ".jsonl")
  on.exit(unlink(body))
  writeLines(vapply(requests, function(request) as.character(toJSON(request, auto_unbox = TRUE)), ""), body)
  words <- c("--silent", "--show-error", "--fail", "--retry", "2", "--max-time", "60",
             "--header", shQuote("Content-Type: application/x-ndjson"),
             "--data-binary", shQuote(paste0("@", body)), shQuote(paste0(url, "/batch")))
  answers <- suppressWarnings(system2("curl", words, stdout = TRUE))
  status <- attr(answers, "status")
  if (!is.null(status)) {
    message("cannot ask ", url)
    quit(status = 5)
  }
  lapply(answers, fromJSON)
}

input <- file("stdin")
typings <- trimws(readLines(input))
close(input)
answers <- ask_service(lapply(typings, function(typing) {
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
