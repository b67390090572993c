/** Examples of the data commands: each as it is with 3.29.0 and 3.58.0 installed, and the published files in the folder. */
import type { Example } from '../../../operations/operation.ts'

/** Subcommand -> examples; what they say, they say on standard error. */
export const DATA_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  install: [{ command: 'hla data install 3.58.0 --from IMGTHLA --mac numer.v3.zip', output: '' }],
  mac: [{ command: 'hla data mac numer.v3.zip', output: '' }],
  catalogue: [{ command: 'hla data catalogue ciwd3 --from ciwd.3.0.0.csv', output: '' }],
  use: [{ command: 'hla data use 3.29.0', output: '' }],
  remove: [{ command: 'hla data remove 3.29.0', output: '' }],
  list: [
    {
      command: 'hla data list',
      output: `   RELEASE  DATE        ALLELES  MAC LIST    STATE
*  3.58.0   2024-10-09  41,433   2020-07-11  verified
   3.29.0   2017-07-10  17,344   2020-07-11  verified`,
    },
  ],
  verify: [{ command: 'hla data verify 3.58.0', output: '' }],
  info: [
    {
      command: "hla data info | grep '^data id'",
      output: 'data id   3.58.0+mac.20200711 sha256:033e3ecfcd64',
    },
  ],
  path: [{ command: 'hla data path --data-dir /srv/hla', output: '/srv/hla' }],
}
