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

# persons are matched, and what cannot be read is unread
patients <- data.frame(id = c("p1", "p2"), A_1 = c("01:01", "03:01"), A_2 = c("02:01", "99:99"), stringsAsFactors = FALSE)
persons <- data.frame(id = c("d1", "p1"), A_1 = c("01:01", "01:01"), A_2 = c("02:01", "03:01"), stringsAsFactors = FALSE)
matched <- suppressWarnings(hla_match(patients, persons))
stopifnot(identical(paste(matched$patient, matched$donor, matched$A_verdict), c("p1 d1 match", "p1 p1 mismatch", "p2 d1 unread", "p2 p1 unread")))
stopifnot(identical(attr(matched, "hla_errors")$id, "p2"))
stopifnot(identical(suppressWarnings(hla_match(patients, persons, by_id = TRUE))$A_gvh, "1"))
stopifnot(inherits(tryCatch(hla_match(patients, persons[0, ]), hla_error = identity), "hla_error"))

# cells of any kind, in any locale
texts <- c("caf\u00e9", "a \"b\",\nc", " NA ", "NA", "<U+00E9>", "\u65e5\u672c")
rich <- data.frame(id = texts, A_1 = "01:01:01", A_2 = "02:01:01", stringsAsFactors = FALSE)
names(rich)[[1]] <- "num\u00e9ro, \"x\""
for (locale in c("C", "C.UTF-8")) {
  suppressWarnings(Sys.setlocale("LC_ALL", locale))
  result <- hla_redux(rich)
  stopifnot(identical(result[[1]], texts), identical(names(result)[[1]], names(rich)[[1]]))
  stopifnot(identical(result$A_1_lgx, rep("A*01:01", 6)))
  stopifnot(identical(hla_validate(c("A*01:01", "\u00e9")), c(TRUE, FALSE)))
}
