/** version: program, release and files behind an answer. */
import { packageBuild, packageVersion } from '../../package-root.ts'
import { describeAges, oldReleaseNote } from '../answers/data-age.ts'
import { dataIdText, describePeculiarities, type Knowledge } from '../knowledge.ts'
import {
  DATASET_SCHEMA,
  defineOperation,
  describeDataset,
  ipdVersion,
  NOTES_SCHEMA,
  withNotes,
} from '../operation.ts'
import { counted } from '../../format-count.ts'
import { object } from '../schema.ts'

const FILES_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    properties: { name: { type: 'string' }, sha256: { type: 'string' } },
    required: ['name', 'sha256'],
    additionalProperties: false,
  },
} as const

export const versionOperation = defineOperation({
  name: 'version',
  group: 'meta',
  summary: 'Print the versions of the program, the release and its files',
  http: {
    method: 'GET',
    path: '/version',
    summary: 'Returns the versions of the program, the release and its files, and what the service offers',
    describesService: true,
    isOfToday: true,
    plain: ({ ipd_version, pyard_version }) => `${ipd_version}/${pyard_version}`,
  },
  subject: undefined,
  answer: 'ipd_version',
  input: { type: 'object', properties: {}, additionalProperties: false },
  output: object(['ipd_version', 'pyard_version', 'hla_version', 'node_version', 'release', 'release_date'], {
    ipd_version: { type: 'integer', description: '3580 is 3.58.0' },
    pyard_version: { type: 'string', description: 'version of the reduction library, which is hla itself' },
    hla_version: { type: 'string' },
    node_version: { type: 'string' },
    build: { type: 'string', description: 'how the program was built, if it was not installed from npm' },
    release: { type: 'string' },
    release_date: { type: 'string' },
    mac_date: { type: 'string', description: 'empty without a MAC list' },
    mac_codes: { type: 'integer' },
    release_age_days: { type: 'integer', description: 'since the release was published' },
    mac_age_days: { type: 'integer', description: 'since the MAC list was published' },
    data_id: { type: 'string' },
    dataset: DATASET_SCHEMA,
    files: FILES_SCHEMA,
    antigens: {
      type: 'string',
      enum: ['before-2026'],
      description: 'installed with the definitions of wmda/pre2026',
    },
    changed: {
      type: 'array',
      items: { type: 'string' },
      description: 'files that were installed although they are not as published',
    },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'what is unusual in the installed files, or was accepted when they were installed',
    },
    catalogues: FILES_SCHEMA,
    notes: NOTES_SCHEMA,
  }),
  examples: [
    { command: 'hla version' },
    { command: 'hla version -r 3.58.0' },
    { command: 'hla version -f json' },
  ],
  run: (_input, knowledge) => ({
    ipd_version: ipdVersion(knowledge),
    pyard_version: packageVersion(),
    hla_version: packageVersion(),
    node_version: process.versions.node,
    ...describeBuild(),
    release: knowledge.release.facts.label,
    release_date: knowledge.release.facts.date,
    mac_date: knowledge.mac?.date ?? '',
    mac_codes: knowledge.mac?.size ?? 0,
    ...describeAges(knowledge),
    ...describeDataset(knowledge),
    ...describeData(knowledge),
    ...listCatalogues(knowledge),
    ...withNotes([oldReleaseNote(knowledge)].filter((note) => note !== undefined)),
  }),
  toText: (version) =>
    [
      `hla ${version.hla_version} (${[`node ${version.node_version}`, version.build].filter(Boolean).join(', ')})`,
      `${title(version)}${version.antigens === undefined ? '' : ', antigens before 2026'}, ${version.mac_date ? `MAC list ${version.mac_date} (${counted(version.mac_codes ?? 0, 'code')})` : 'no MAC list'}`,
      ...(version.data_id === undefined ? [] : [`data ${version.data_id}`]),
      ...formatAges(version),
      ...(version.changed === undefined ? [] : [`not as published: ${version.changed.join(', ')}`]),
      ...(version.warnings ?? []).map((warning) => `warning: ${warning}`),
      ...(version.catalogues ?? []).map(
        ({ name, sha256 }) => `catalogue ${name} sha256:${sha256.slice(0, 12)}`,
      ),
    ].join('\n'),
})

function describeBuild() {
  const build = packageBuild()
  return build === undefined ? {} : { build }
}

function title({
  dataset,
  release,
  release_date,
}: {
  dataset?: string | undefined
  release: string
  release_date: string
}): string {
  const name =
    dataset === 'starter' ? `built-in starter set of IPD-IMGT/HLA ${release}` : `IPD-IMGT/HLA ${release}`
  return `${name} (${release_date})`
}

/** `age release 775 days, MAC list 2,326 days` */
function formatAges(ages: {
  release_age_days?: number | undefined
  mac_age_days?: number | undefined
}): string[] {
  const parts = [
    ['release', ages.release_age_days] as const,
    ['MAC list', ages.mac_age_days] as const,
  ].flatMap(([what, days]) => (days === undefined ? [] : [`${what} ${counted(days, 'day')}`]))
  return parts.length === 0 ? [] : [`age ${parts.join(', ')}`]
}

function describeData({ identity }: Knowledge) {
  const id = dataIdText(identity)
  if (id === undefined) return {}
  return {
    data_id: id,
    files: identity.files.map((file) => ({ ...file })),
    ...describePeculiarities(identity),
  }
}

function listCatalogues(knowledge: Knowledge) {
  const catalogues = knowledge.catalogues().map((one) => ({ ...one }))
  return catalogues.length === 0 ? {} : { catalogues }
}
