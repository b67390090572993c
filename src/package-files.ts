/**
 * Package files embedded in the library, by name, in base64: a bundle of another program has no folder of ours.
 * Empty here and in the command line; the build fills dist/lib/package-files.js with what the library reads.
 */
export const PACKAGE_FILES: Readonly<Record<string, string>> = {}
