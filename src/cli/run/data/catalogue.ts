/** `hla data catalogue ciwd3`: the CIWD 3.0.0 catalogue from a file or an address. */
import { HlaError } from '../../../errors.ts'
import { installCiwd3 } from '../../../reference/catalogues.ts'
import { readPublishedBytes } from '../../../reference/published/read-bytes.ts'
import { locateData } from '../../../reference/store/location.ts'
import { type DataContext, OK, say } from './context.ts'
import { formatCount } from '../../../format-count.ts'

/** Address of the published catalogue (Hurley et al. 2020, HLA 95:516). */
const DEFAULT_URL = 'https://raw.githubusercontent.com/nmdp-bioinformatics/CIWD/master/ciwd.3.0.0.csv'

export async function catalogueCommand(
  context: DataContext,
  name: string,
  from = DEFAULT_URL,
): Promise<number> {
  if (name !== 'ciwd3')
    throw new HlaError('usage', `unknown catalogue "${name}"; ciwd3 can be installed, cwd2 is built in`)
  const table = installCiwd3(locateData(context.dataDir), await readPublishedBytes(from))
  say(context, `CIWD 3.0.0: ${formatCount(table.size)} names from ${from}`)
  say(context, 'cite Hurley et al., HLA 2020, 95:516')
  return OK
}
