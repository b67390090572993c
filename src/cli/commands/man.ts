/** `hla man`: shows a page of the manual. */
import { commandOf } from '../options/declare-command.ts'

export const MAN = commandOf({
  usage: 'man [page...]',
  args: {
    page: 'a command, such as "data install", a help topic, or the name of a page: hla-redux (default: hla)',
  },
  examples: [
    { command: 'hla man redux' },
    { command: 'hla man data install' },
    { command: 'hla man tables' },
  ],
  run: async (page, _, load) => (await import('../run/manual/show.ts')).showPage(page, await load()),
})
