/** Pictures of the kinds of items, which `iconLink` names. */
import type { FastifyInstance } from 'fastify'

const SHAPES = {
  file: 'M4 1h5l4 4v10H4z',
  folder: 'M1 3h5l2 2h7v9H1z',
  shortcut: 'M4 1h5l4 4v10H4zM6 12l5-5M7 7h4v4',
} as const

export function addIcons(app: FastifyInstance): void {
  for (const [kind, shape] of Object.entries(SHAPES)) {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="16" height="16">' +
      `<path d="${shape}" fill="none" stroke="#5f6368"/></svg>`
    app.get(`/icons/${kind}.svg`, { config: { isOpen: true } }, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(svg),
    )
  }
}
