# Typings in data frames: the program finds the columns, as in its tables.

hla_redux.data.frame <- function(x, method = "lgx", ..., into = c("after", "replace", "append"), errors = c("warn", "stop"),
                                 options = character(), release = getOption("hla.release"),
                                 data_dir = getOption("hla.data_dir"), program = NULL) {
  check_unused(...)
  into <- match.arg(into)
  errors <- match.arg(errors)
  check_text(method, "method")
  if (nrow(x) == 0) stop_hla("the data frame has no rows to find typings in", code = "bad-request")
  input <- tempfile("hla-table-", fileext = ".csv")
  output <- tempfile("hla-table-", fileext = ".csv")
  report <- tempfile("hla-errors-", fileext = ".csv")
  on.exit(unlink(c(input, output, report)))
  written <- lapply(x, as_cells)
  names(written) <- enc2utf8(names(x))
  write_table(written, input)
  warn_of_starter(release, data_dir, program)
  words <- c("redux", "-m", method, "-d", ",", "-i", input, "-o", output, "--errors", report, "--into", into, "-D", ",", "--eol", "lf", options)
  ran <- run_hla(words, release, data_dir, program)
  if (!ran$status %in% c(0, 1) || !file.exists(output)) stop_ended(ran)
  result <- read_answers(output)
  if (nrow(result) != nrow(x)) stop_hla("the table of hla has another number of rows", code = "protocol")
  result <- with_own_columns(result, x, written)
  attr(result, "row.names") <- attr(x, "row.names")
  pass_warnings(ran)
  failed <- if (file.exists(report)) read_answers(report) else NULL
  if (ran$status == 0) return(result)
  if (is.null(failed) || nrow(failed) == 0) stop_ended(ran)
  first <- paste0("row ", failed$row[[1]], ", ", failed$column[[1]], ": ", failed$message[[1]], " [", failed$code[[1]], "]")
  if (errors == "stop") stop_hla(first, code = failed$code[[1]], typing = failed$value[[1]])
  warn_hla(paste0(nrow(failed), " cells failed and are missing, the first in ", first))
  attr(result, "hla_errors") <- failed
  result
}

# Every patient with every donor, or the rows of both with the same id.
hla_match <- function(patients, donors, ..., by_id = FALSE, options = character(), release = getOption("hla.release"),
                      data_dir = getOption("hla.data_dir"), program = NULL) {
  check_unused(...)
  files <- c(patients = tempfile("hla-patients-", fileext = ".csv"), donors = tempfile("hla-donors-", fileext = ".csv"))
  output <- tempfile("hla-match-", fileext = ".csv")
  report <- tempfile("hla-errors-", fileext = ".csv")
  on.exit(unlink(c(files, output, report)))
  persons <- list(patients = patients, donors = donors)
  for (name in names(persons)) {
    x <- persons[[name]]
    if (!is.data.frame(x) || nrow(x) == 0) stop_hla(paste(name, "is a data frame with rows"), code = "bad-request")
    written <- lapply(x, as_cells)
    names(written) <- enc2utf8(names(x))
    write_table(written, files[[name]])
  }
  warn_of_starter(release, data_dir, program)
  words <- c("match", "--patients", files[["patients"]], "--donors", files[["donors"]], if (by_id) "--by-id", "-d", ",", "-o", output,
             "--errors", report, options)
  ran <- run_hla(words, release, data_dir, program)
  if (!ran$status %in% c(0, 1) || !file.exists(output)) stop_ended(ran)
  result <- read_answers(output)
  pass_warnings(ran)
  failed <- if (file.exists(report)) read_answers(report) else NULL
  if (!is.null(failed) && nrow(failed) > 0) {
    warn_hla(paste0(nrow(failed), " typings cannot be read, and their loci are unread: the first is row ", failed$row[[1]], ", ",
                    failed$column[[1]], ": ", failed$message[[1]]))
    attr(result, "hla_errors") <- failed
  }
  result
}

# Cells as texts; what is missing is empty.
as_cells <- function(column) {
  if (is.list(column)) stop_hla("a column of the data frame is a list", code = "bad-request")
  cells <- enc2utf8(as.character(column))
  cells[is.na(cells)] <- ""
  cells
}

# As bytes: write.csv would write in the characters of the locale, and what those have not as something else.
write_table <- function(columns, path) {
  quoted <- lapply(columns, function(cells) paste0("\"", gsub("\"", "\"\"", cells, fixed = TRUE, useBytes = TRUE), "\""))
  header <- paste0("\"", gsub("\"", "\"\"", names(columns), fixed = TRUE, useBytes = TRUE), "\"")
  connection <- file(path, "wb")
  on.exit(close(connection))
  writeLines(paste(header, collapse = ","), connection, useBytes = TRUE)
  writeLines(do.call(paste, c(unname(quoted), sep = ",")), connection, useBytes = TRUE)
}

# Columns that were passed through are those that were given, of the type they had; in the others, what is empty is missing.
with_own_columns <- function(result, x, written) {
  for (at in seq_along(result)) {
    own <- which(names(written) == names(result)[[at]])
    same <- Filter(function(column) identical(written[[column]], result[[at]]), own)
    result[[at]] <- if (length(same) > 0) x[[same[[1]]]] else blank_to_na(result[[at]])
  }
  result
}
