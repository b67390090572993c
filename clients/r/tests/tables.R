# Typings in data frames, over the built-in starter set.
library(hla)

if (!nzchar(Sys.which("hla"))) {
  message("hla is not on the search path: not tested")
  quit(status = 0)
}
options(hla.release = "starter")

donors <- data.frame(
  id = c(7L, 8L), born = as.Date(c("1970-01-02", NA)), group = factor(c("x, \"y\"", "z")),
  A_1 = c("01:01:01", "02:AB"), A_2 = c("02:01:01", NA), stringsAsFactors = FALSE, row.names = c("first", "second")
)
reduced <- hla_redux(donors)
stopifnot(identical(names(reduced), c("id", "born", "group", "A_1", "A_1_lgx", "A_2", "A_2_lgx")))
stopifnot(identical(reduced$A_1_lgx, c("A*01:01", "A*02:01/A*02:02")), identical(reduced$A_2_lgx, c("A*02:01", NA)))
# what is passed through is what was given
stopifnot(identical(reduced[names(donors)], donors))

replaced <- hla_redux(donors, "G", into = "replace")
stopifnot(identical(names(replaced), names(donors)), identical(replaced$A_1[[1]], "A*01:01:01G"), identical(replaced$id, donors$id))

# what fails is missing and listed, or ends it
donors$A_2[[2]] <- "A*01:01:01+"
result <- suppressWarnings(hla_redux(donors))
stopifnot(identical(result$A_2_lgx, c("A*02:01", NA)), identical(attr(result, "hla_errors")$column, "A_2"))
error <- tryCatch(hla_redux(donors, errors = "stop"), hla_error = identity)
stopifnot(inherits(error, "hla_error"), nzchar(error$code))

# no typings in it
error <- tryCatch(hla_redux(data.frame(x = 1:2, y = 3:4)), hla_error = identity)
stopifnot(inherits(error, "hla_error"), grepl("no typing columns", conditionMessage(error)))
stopifnot(inherits(tryCatch(hla_redux(donors[0, ]), hla_error = identity), "hla_error"))
