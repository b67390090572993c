/**
 * Files of the package that the library holds as text, in base64, by their names: in a bundle of another program there is no folder of ours.
 * Empty here and in the command line; the build writes dist/lib/package-files.js with what the library reads.
 */
export const PACKAGE_FILES: Readonly<Record<string, string>> = {}
