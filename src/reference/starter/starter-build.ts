/** Build step: compiles data/starter into dist, so that opening it is one read.  [disk] */
import { packagePath } from '../../package-root.ts'
import { writeAtomically } from '../../io/atomic-write.ts'
import { STARTER_FILES, compiledStarter, compiledStarterCodes } from './open-starter.ts'

writeAtomically(packagePath('dist', STARTER_FILES.release), compiledStarter())
writeAtomically(packagePath('dist', STARTER_FILES.mac), compiledStarterCodes())
