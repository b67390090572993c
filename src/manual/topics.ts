/** Generates the help topics as pages of section 7. Pure. */
import type { ManualFacts } from './manual-facts.ts'
import type { Block, Page } from './page.ts'
import { environmentTopic } from './topics/environment.ts'
import { errorsTopic } from './topics/errors.ts'
import { exitCodesTopic } from './topics/exit-codes.ts'
import { fileStoreTopic } from './topics/file-store.ts'
import { formatsTopic } from './topics/formats.ts'
import { longRunsTopic } from './topics/long-runs.ts'
import { methodsTopic } from './topics/methods.ts'
import { migrateTopic } from './topics/migrate.ts'
import { remoteTopic } from './topics/remote.ts'
import { tablesTopic } from './topics/tables.ts'
import { type TopicName, TOPICS } from './topic-names.ts'

const CONTENTS: Readonly<Record<TopicName, (facts: ManualFacts) => Block[]>> = {
  'exit-codes': exitCodesTopic,
  environment: environmentTopic,
  formats: formatsTopic,
  methods: methodsTopic,
  tables: tablesTopic,
  'long-runs': longRunsTopic,
  errors: errorsTopic,
  remote: remoteTopic,
  'file-store': fileStoreTopic,
  migrate: migrateTopic,
}

export function topicPage(name: TopicName, facts: ManualFacts): Page {
  return { name: `hla-${name}`, section: 7, summary: TOPICS[name], blocks: CONTENTS[name](facts) }
}

export function topicPages(facts: ManualFacts): Page[] {
  // the keys of TOPICS are the type
  return (Object.keys(TOPICS) as TopicName[]).map((name) => topicPage(name, facts))
}
