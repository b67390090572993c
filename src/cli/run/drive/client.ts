/** `hla drive client …`: the programs that hold tokens. */
import { command, OPERATOR } from '../../../drive/domain/commands.ts'
import { type ClientFacts, listClients } from '../../../drive/domain/accounts/clients.ts'
import { EXIT } from '../../exit-status.ts'
import { readNamed } from '../../named-file.ts'
import { type Cell, type Printing, printRows } from './print.ts'
import { isDisabledBy, type Switch } from './switch.ts'
import { withStore } from './with-store.ts'

export interface ClientOptions extends Printing, Switch {
  readonly data: string
  readonly name?: string
  /** A file. */
  readonly app?: string
}

export function addClientCommand(id: string, options: ClientOptions): Promise<number> {
  return writeClient('addClient', id, options)
}

export function changeClientCommand(id: string, options: ClientOptions): Promise<number> {
  return writeClient('changeClient', id, options)
}

async function writeClient(
  what: 'addClient' | 'changeClient',
  id: string,
  options: ClientOptions,
): Promise<number> {
  const { name, app } = options
  const isDisabled = isDisabledBy(options)
  const facts = app === undefined ? undefined : readNamed(app)
  return withStore(options.data, async (store) => {
    printRows([described(await command(store, what, OPERATOR, { id, name, facts, isDisabled }))], options)
    return EXIT.ok
  })
}

export function removeClientCommand(id: string, { data }: ClientOptions): Promise<number> {
  return withStore(data, async (store) => {
    await command(store, 'removeClient', OPERATOR, { id })
    return EXIT.ok
  })
}

export function listClientsCommand(options: ClientOptions): Promise<number> {
  return withStore(options.data, async (store) => {
    printRows(listClients(store.read).map(described), options)
    return EXIT.ok
  })
}

function described({ id, name, is_disabled }: ClientFacts): Record<string, Cell> {
  return { id, name, disabled: is_disabled === 1 }
}
