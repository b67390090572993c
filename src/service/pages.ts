/** The page of this service and the description of its interface. */
import type { FastifyInstance } from 'fastify'
import type { PageFiles } from '../web/pages.ts'

export const PAGES: PageFiles = {
  '/': ['index.html', 'text/html'],
  '/docs': ['docs.html', 'text/html'],
  '/page.css': ['page.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
  '/docs.js': ['docs.js', 'text/javascript'],
}

/** Where services of py-ard have their page. Relative, as behind a proxy that has this service below a path of its own. */
export function addPeerAddress(app: FastifyInstance): void {
  app.get('/ui', { config: { isOpen: true } }, (_request, reply) => reply.redirect('./'))
  app.get('/ui/', { config: { isOpen: true } }, (_request, reply) => reply.redirect('../'))
}
