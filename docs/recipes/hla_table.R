#!/usr/bin/env Rscript
# Reduces typings into a data frame, with base R alone:  Rscript hla_table.R [METHOD] < typings.txt

arguments <- commandArgs(trailingOnly = TRUE)
method <- if (length(arguments) > 0) arguments[[1]] else "lgx"

# A data frame with a row for each typing: input, method, result, status, code, message.
reduce_typings <- function(typings, method) {
  words <- c("redux", "--quiet", "-m", method, "-f", "tsv")
  # what is wrong with a typing stands in its row, and need not be said twice
  lines <- suppressWarnings(system2("hla", words, input = typings, stdout = TRUE, stderr = FALSE))
  status <- attr(lines, "status")
  # 1: some typings failed
  if (!is.null(status) && status != 1) {
    message("hla has ended with status ", status)
    quit(status = status)
  }
  read.delim(text = lines, quote = "", colClasses = "character", na.strings = character())
}

input <- file("stdin")
reduced <- reduce_typings(trimws(readLines(input)), method)
close(input)
failed <- reduced$status == "error"
message(paste0(reduced$input, ": ", reduced$message, " [", reduced$code, "]\n")[failed], appendLF = FALSE)
write.table(reduced[c("input", "result")], sep = "\t", quote = FALSE, row.names = FALSE, col.names = FALSE)
quit(status = if (any(failed)) 1 else 0)
