/** Routes of rules of folders, under their own path, because the public API has none.  [network] */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { assured } from '../../../errors.ts'
import { type Caller, StorageFailure, invalid } from '../../contract/failure.ts'
import {
  type RuleEngine,
  type RuleOffers,
  maySee,
  rulesAbout,
  rulesOfCaller,
  viewRule,
} from '../../domain/rules/rule-rows.ts'
import { requireFile } from '../../domain/access/rights.ts'
import { command } from '../../domain/commands.ts'
import { requireFullScope } from '../../domain/rules/rules.ts'
import { sendJson } from '../answers/json.ts'
import { type DriveContext, pathId } from '../requests/call.ts'
import { readMembers } from '../requests/members.ts'
import { bodyOf, pathOf, queryOf } from '../requests/parts.ts'

/** Maximum bytes of a body. */
const MAX_BODY_BYTES = 16_384

export function addRules(app: FastifyInstance, { store, options }: DriveContext): void {
  const { read } = store
  app.get('/rules', (request, reply) => {
    const caller = callerOf(request)
    const { folder } = queryOf(request)
    if (folder !== undefined && typeof folder !== 'string')
      throw invalid('`folder` must be given at most once.', 'folder')
    const rules =
      folder === undefined
        ? rulesOfCaller(read, caller)
        : rulesAbout(read, requireFile(read, caller, folder, 'canAddChildren').pk).filter((rule) =>
            maySee(read, caller, rule),
          )
    const items = rules.map((rule) => viewRule(read, rule))
    return sendJson(reply, { kind: 'hla#ruleList', items, offers: options.rules?.offers() ?? NONE })
  })
  app.post('/rules', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const caller = callerOf(request)
    const body = readMembers(bodyOf(request), RULE)
    const { folder, target, includesExisting = false, withSubfolders = false, ...given } = body
    const checked = engineOf(options.rules).check(given)
    const terms = withSubfolders ? { ...checked, withSubfolders } : checked
    const rule = await command(store, 'addRule', caller, { folder, target, terms, includesExisting })
    return sendJson(reply, viewRule(read, rule))
  })
  app.delete('/rules/:rule', async (request, reply) => {
    const id = pathId({ path: pathOf(request) }, 'rule')
    await command(store, 'removeRule', callerOf(request), { id })
    return reply.code(204).send()
  })
}

const RULE = {
  folder: 'text!',
  target: 'text',
  method: 'text',
  release: 'text',
  match: 'text',
  includesExisting: 'flag',
  withSubfolders: 'flag',
} as const

const NONE: RuleOffers = { methods: [], releases: [] }

/** @throws 501 */
function engineOf(engine: RuleEngine | undefined): RuleEngine {
  if (engine !== undefined) return engine
  throw new StorageFailure(501, 'notImplemented', 'This server converts no tables.')
}

/** @throws 403 */
function callerOf({ caller }: FastifyRequest): Caller {
  const known = assured(caller, 'the route needs credentials')
  requireFullScope(known)
  return known
}
