/**
 * A fixed seed, so that a merge always tests the same values. Developers use random seeds; a failure prints its seed.
 */
import fc from 'fast-check'

if (process.env['CI'] !== undefined) fc.configureGlobal({ seed: 20_261_123 })
