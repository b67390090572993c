# Which program is asked, and how.

# The file of the program: the one given, else option hla.program, else HLA_PROGRAM of the environment, else hla on the search path.
hla_program <- function(program = getOption("hla.program")) {
  if (is.null(program)) {
    program <- Sys.getenv("HLA_PROGRAM")
    if (!nzchar(program)) {
      found <- unname(Sys.which("hla"))
      if (!nzchar(found)) {
        stop_hla(paste0(
          "there is no program hla on the search path; install it, or name it: ",
          "options(hla.program = \"/opt/hla/hla\"), or HLA_PROGRAM in the environment"
        ), code = "no-program")
      }
      return(found)
    }
  }
  found <- unname(Sys.which(program))
  if (!nzchar(found)) stop_hla(paste(program, "is no program that can be run"), code = "no-program")
  found
}

hla_version <- function(release = getOption("hla.release"), data_dir = getOption("hla.data_dir"), program = NULL) {
  ran <- run_hla("version", release = release, data_dir = data_dir, program = program)
  if (ran$status != 0) stop_ended(ran)
  ran$output
}

# Runs it; what it writes to standard output and to standard error, and its exit status.
run_hla <- function(words, release, data_dir, program) {
  program <- if (is.null(program)) hla_program() else hla_program(program)
  words <- c(
    words,
    if (!is.null(release)) c("--release", as.character(release)),
    if (!is.null(data_dir)) c("--data-dir", path.expand(data_dir)),
    "--color", "never"
  )
  output <- tempfile("hla-output-")
  said <- tempfile("hla-said-")
  on.exit(unlink(c(output, said)))
  status <- suppressWarnings(system2(program, shQuote(words), stdout = output, stderr = said))
  list(status = status, output = read_utf8(output), said = read_utf8(said))
}

read_utf8 <- function(file) {
  if (!file.exists(file)) return(character())
  readLines(file, encoding = "UTF-8", warn = FALSE)
}

# An error of class hla_error, with the code that hla gives it and the typing it is about.
stop_hla <- function(message, code = "", typing = NULL) {
  stop(structure(
    class = c("hla_error", "error", "condition"),
    list(message = message, call = NULL, code = code, typing = typing)
  ))
}

# It ended without an answer, and has said why.
stop_ended <- function(ran) {
  said <- grep("^hla: error: ", ran$said)
  if (length(said) == 0) {
    stop_hla(paste(c(paste0("hla has ended with status ", ran$status), ran$said), collapse = "\n"), code = "ended")
  }
  text <- sub("^hla: error: ", "", ran$said[seq(said[[1]], length(ran$said))])
  code <- if (grepl("\\[[a-z0-9-]+\\]$", text[[1]])) sub("^.*\\[([a-z0-9-]+)\\]$", "\\1", text[[1]]) else "ended"
  stop_hla(paste(text, collapse = "\n"), code = code)
}

warn_hla <- function(message) {
  warning(structure(class = c("hla_warning", "warning", "condition"), list(message = message, call = NULL)))
}

# Something was left out of answers, or may not be what was meant.
pass_warnings <- function(ran) {
  said <- unique(sub("^hla: warning: ", "", grep("^hla: warning: ", ran$said, value = TRUE)))
  if (length(said) == 0) return(invisible())
  more <- if (length(said) > 5) paste0("\nand ", length(said) - 5, " more") else ""
  warn_hla(paste0(paste(head(said, 5), collapse = "\n"), more))
}

seen <- new.env(parent = emptyenv())

# The small built-in set answers where no release is installed: that is said, once.
warn_of_starter <- function(release, data_dir, program) {
  if (!is.null(release) || nzchar(Sys.getenv("HLA_RELEASE"))) return(invisible())
  place <- paste(c(program, data_dir, Sys.getenv("HLA_DATA_DIR"), "-"), collapse = "\n")
  if (!is.null(seen[[place]])) return(invisible())
  version <- hla_version(release, data_dir, program)
  assign(place, TRUE, envir = seen)
  if (any(grepl("^built-in starter set", version))) {
    warn_hla("no release is installed (hla data install): the small built-in starter set answers")
  }
}
