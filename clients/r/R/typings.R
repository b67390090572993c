# Typings in character vectors.

hla_redux <- function(x, method = "lgx", ...) UseMethod("hla_redux")

hla_redux.default <- function(x, method = "lgx", ..., errors = c("warn", "stop"), options = character(),
                              release = getOption("hla.release"), data_dir = getOption("hla.data_dir"), program = NULL) {
  check_unused(...)
  errors <- match.arg(errors)
  check_text(method, "method")
  words <- c("redux", "-m", method, options)
  answered <- ask_each(x, words, release, data_dir, program)
  settle(answered, errors)
}

hla_mac <- function(x, ..., errors = c("warn", "stop"), options = character(),
                    release = getOption("hla.release"), data_dir = getOption("hla.data_dir"), program = NULL) {
  check_unused(...)
  errors <- match.arg(errors)
  settle(ask_each(x, c("mac", options), release, data_dir, program), errors)
}

hla_validate <- function(x, ..., details = FALSE, options = character(),
                         release = getOption("hla.release"), data_dir = getOption("hla.data_dir"), program = NULL) {
  check_unused(...)
  answered <- ask_each(x, c("validate", options), release, data_dir, program)
  found <- answered$answers[answered$place, , drop = FALSE]
  valid <- ifelse(is.na(found$verdict), NA, found$status == "ok")
  if (!details) return(answered$shape(valid))
  data.frame(
    typing = as.character(x), valid = valid, malformed = found$verdict == "malformed", verdict = found$verdict,
    code = blank_to_na(found$code), message = blank_to_na(found$message), row.names = NULL
  )
}

check_unused <- function(...) {
  if (...length() > 0) stop_hla("there is an argument that is not one of this function", code = "bad-request")
}

check_text <- function(x, name) {
  if (!is.character(x) || length(x) != 1 || is.na(x)) stop_hla(paste(name, "is one text"), code = "bad-request")
}

# Each distinct typing is asked for once. What is missing, or blank, is not asked and stays missing.
ask_each <- function(x, words, release, data_dir, program) {
  if (!is.character(x) && !is.factor(x) && !all(is.na(x))) {
    stop_hla(paste0("typings are texts, not ", class(x)[[1]]), code = "bad-request")
  }
  text <- enc2utf8(as.character(x))
  text[!is.na(text) & !nzchar(trimws(text))] <- NA_character_
  distinct <- unique(text[!is.na(text)])
  broken <- grep("[\r\n]", distinct)
  if (length(broken) > 0) {
    stop_hla("a typing has a line break in it", code = "bad-character", typing = distinct[[broken[[1]]]])
  }
  shape <- function(values) {
    if (!is.null(dim(x))) return(array(values, dim(x), dimnames(x)))
    names(values) <- names(x)
    values
  }
  warn_of_starter(release, data_dir, program)
  answers <- if (length(distinct) == 0) no_answers() else ask_lines(distinct, words, release, data_dir, program)
  list(answers = answers, place = match(text, distinct), shape = shape)
}

no_answers <- function() {
  data.frame(input = character(), result = character(), status = character(), code = character(), message = character())
}

ask_lines <- function(typings, words, release, data_dir, program) {
  input <- tempfile("hla-typings-", fileext = ".txt")
  output <- tempfile("hla-answers-", fileext = ".csv")
  on.exit(unlink(c(input, output)))
  connection <- file(input, "wb")
  writeLines(typings, connection, sep = "\n", useBytes = TRUE)
  close(connection)
  ran <- run_hla(c(words, "--input-format", "lines", "-i", input, "-o", output, "-f", "csv"), release, data_dir, program)
  # 1: some typings failed, and say so in their rows
  if (!ran$status %in% c(0, 1) || !file.exists(output)) stop_ended(ran)
  answers <- read_answers(output)
  # an answer in the place of another would be worse than none
  if (!identical(answers$input, typings)) {
    stop_hla("the answers of hla are not those of the typings that it was asked", code = "protocol")
  }
  pass_warnings(ran)
  answers
}

read_answers <- function(file) {
  read.csv(
    file, colClasses = "character", na.strings = character(), check.names = FALSE,
    encoding = "UTF-8", quote = "\"", comment.char = "", strip.white = FALSE
  )
}

blank_to_na <- function(x) {
  x[!is.na(x) & x == ""] <- NA_character_
  x
}

# Failures are missing in the result, and listed with it.
settle <- function(answered, errors) {
  answers <- answered$answers
  failed <- answers[answers$status != "ok", c("input", "code", "message"), drop = FALSE]
  result <- answered$shape(blank_to_na(answers$result)[answered$place])
  if (nrow(failed) == 0) return(result)
  first <- paste0(failed$input[[1]], ": ", failed$message[[1]], " [", failed$code[[1]], "]")
  if (errors == "stop") stop_hla(first, code = failed$code[[1]], typing = failed$input[[1]])
  warn_hla(paste0(nrow(failed), " of ", nrow(answers), " distinct typings failed and are missing, the first ", first))
  names(failed)[[1]] <- "typing"
  rownames(failed) <- NULL
  attr(result, "hla_errors") <- failed
  result
}
