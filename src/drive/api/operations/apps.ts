/** The operations on apps: the clients registered by the operator. */
import { type AppView, findApp, listApps } from '../../domain/accounts/clients.ts'
import { notFound } from '../../contract/failure.ts'
import { localizeFacts } from '../../protocol/bodies/app-facts.ts'
import { type Handlers, pathId, shown } from '../requests/call.ts'
import { splitIds } from './files.ts'
import { listAnswer, listEtag } from '../answers/paging.ts'

export const APPS: Handlers = {
  'apps.get'(call) {
    const id = pathId(call, 'appId')
    const app = findApp(call.drive.store.read, call.caller, id)
    if (app === undefined) throw notFound('App', id, 'appId')
    return shown(appResource(app))
  },
  'apps.list'(call) {
    const { drive, caller, parameters } = call
    const extensions = splitIds(parameters.appFilterExtensions) ?? []
    const mimes = splitIds(parameters.appFilterMimeTypes) ?? []
    const apps = listApps(drive.store.read, caller, { extensions, mimes })
    const etag = listEtag(apps.map((app) => JSON.stringify(app)))
    const defaultAppIds = apps.filter(({ facts }) => facts['useByDefault'] === true).map(({ id }) => id)
    const items = apps.map((app) => appResource(app, parameters.languageCode))
    return listAnswer(call, { kind: 'drive#appList', etag, defaultAppIds }, items)
  },
}

const NONE = {
  objectType: 'file',
  supportsCreate: false,
  supportsImport: false,
  supportsMultiOpen: false,
  supportsOfflineCreate: false,
  useByDefault: false,
}

function appResource({ id, name, facts, isAuthorized, hasWideScope }: AppView, language?: string) {
  return {
    kind: 'drive#app',
    id,
    name,
    ...NONE,
    ...localizeFacts(facts, language),
    authorized: isAuthorized,
    installed: isAuthorized || facts['installed'] === true,
    hasDriveWideScope: hasWideScope,
  }
}
