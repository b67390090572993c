/** What is written instead of a table. */
import { expect, test } from 'vitest'
import { OUTPUT_FORMAT_NAMES } from '../../src/table/plan/output-format-names.ts'
import { convertRecords } from '../support/record-tables.ts'

const DONORS = 'id,A_1,A_2\nS1,A*01:01,A*02:01\n'

test.for(OUTPUT_FORMAT_NAMES.filter((name) => name !== 'same'))(
  '%s is refused in one line until it is written',
  async (outputFormat) => {
    await expect(convertRecords({ 't.csv': DONORS }, { outputFormat })).rejects.toMatchObject({
      code: 'usage',
      message: `--output-format ${outputFormat} is not written yet`,
    })
  },
)
