# Typings in vectors, over the built-in starter set.
library(hla)

if (!nzchar(Sys.which("hla"))) {
  message("hla is not on the search path: not tested")
  quit(status = 0)
}
options(hla.release = "starter")

caught <- function(expression, class = "hla_error") tryCatch({ expression; NULL }, condition = function(found) if (inherits(found, class)) found else stop(found))

# each in its place, with names, and what is missing kept
x <- c(a = "A*01:01:01:01", b = NA, c = "A*02:AB", d = "A*01:01:01:01", e = "")
stopifnot(identical(hla_redux(x), c(a = "A*01:01", b = NA, c = "A*02:01/A*02:02", d = "A*01:01", e = NA)))
stopifnot(identical(hla_redux("A*01:01:01", "G"), "A*01:01:01G"))
stopifnot(identical(hla_redux(factor(c("A*01:01:01", "B*07:02:01", "A*01:01:01"))), c("A*01:01", "B*07:02", "A*01:01")))
stopifnot(identical(hla_redux(matrix(c("A*01:01:01", "B*07:02:01"), 1)), matrix(c("A*01:01", "B*07:02"), 1)))
stopifnot(identical(hla_redux(character()), character()))
stopifnot(identical(hla_redux(c(NA, NA)), c(NA_character_, NA_character_)))
stopifnot(identical(hla_redux(rep(c("A*01:01:01", "B*07:02:01"), 5000)), rep(c("A*01:01", "B*07:02"), 5000)))

# options of the program
stopifnot(identical(hla_redux("a*01:01", options = c("--accept", "case")), "A*01:01"))

# what fails is missing and listed, or ends it
bad <- c("A*01:01", "A*01:01+", "\"x,y\"", " B*07:02", "'; echo $HOME", "\u00e9")
said <- caught(hla_redux(bad), "hla_warning")
stopifnot(inherits(said, "hla_warning"), grepl("5 of 6 distinct typings failed", conditionMessage(said)))
result <- suppressWarnings(hla_redux(bad))
stopifnot(identical(as.character(result), c("A*01:01", NA, NA, NA, NA, NA)))
stopifnot(identical(attr(result, "hla_errors")$typing, enc2utf8(bad[-1])))
stopifnot(identical(attr(result, "hla_errors")$code[[1]], "empty-part"))
error <- caught(hla_redux(bad, errors = "stop"))
stopifnot(identical(error$code, "empty-part"), identical(error$typing, "A*01:01+"))

# what is left out is said
said <- caught(hla_redux("A*01:01+A*01:04N", "S"), "hla_warning")
stopifnot(inherits(said, "hla_warning"), grepl("A*01:04N", conditionMessage(said), fixed = TRUE))
stopifnot(identical(suppressWarnings(hla_redux("A*01:01+A*01:04N", "S")), "A1"))

# codes
stopifnot(identical(hla_mac(c("A*01:AB", NA, "A*01:01/A*01:02")), c("A*01:01/A*01:02", NA, "A*01:AB")))

# verdicts
stopifnot(identical(hla_validate(c("A*01:01", NA, "A*01:01+")), c(TRUE, NA, FALSE)))
details <- hla_validate(c("A*01:01", NA, "A*01:01+"), details = TRUE)
stopifnot(identical(details$valid, c(TRUE, NA, FALSE)), identical(details$malformed, c(FALSE, NA, TRUE)))
stopifnot(identical(details$code, c(NA, NA, "empty-part")), identical(details$typing, c("A*01:01", NA, "A*01:01+")))

# wrong questions
stopifnot(identical(caught(hla_redux(7))$code, "bad-request"))
stopifnot(identical(caught(hla_redux("A*01:01", methd = "G"))$code, "bad-request"))
stopifnot(identical(caught(hla_redux("A*01:01\nA*02:01"))$code, "bad-character"))
stopifnot(inherits(caught(hla_redux("A*01:01", "foo")), "hla_error"))
stopifnot(grepl("3.1.0 is not installed", conditionMessage(caught(hla_redux("A*01:01", release = "3.1.0")))))
stopifnot(identical(caught(hla_redux("A*01:01", program = "/nowhere/hla"))$code, "no-program"))
stopifnot(any(grepl("starter set of IPD-IMGT/HLA 3.58.0", hla_version())))

# another program that answers something else
other <- tempfile("hla-")
writeLines(c("#!/bin/sh", "while [ \"$1\" != -o ]; do shift; done", "printf 'input,method,result,status,code,message\\nB*07:02,lgx,B*07:02,ok,,\\n' > \"$2\""), other)
Sys.chmod(other, "0755")
stopifnot(identical(caught(hla_redux("A*01:01", program = other))$code, "protocol"))

# the starter set is said where nobody asked for it
options(hla.release = NULL)
empty <- tempfile("hla-data-")
dir.create(empty)
Sys.setenv(HLA_SYSTEM_DATA_DIR = empty)
Sys.unsetenv("HLA_RELEASE")
said <- caught(hla_redux("A*01:01:01", data_dir = empty), "hla_warning")
stopifnot(grepl("starter set", conditionMessage(said)))
stopifnot(identical(hla_redux("A*01:01:01", data_dir = empty), "A*01:01"))
