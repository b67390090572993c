/** Finds the methods of a path, for answers to other methods. */
import type { FastifyInstance } from 'fastify'

export type AllowedMethods = (path: string) => string[]

/** Covers all routes added after this call. */
export function allowedMethods(app: FastifyInstance): AllowedMethods {
  const routes: { readonly parts: readonly string[]; readonly method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const parts = url.split('/')
    for (const one of typeof method === 'string' ? [method] : method) routes.push({ parts, method: one })
  })
  return (path) => {
    const asked = path.split('/')
    const found = routes.filter(({ parts }) => fits(parts, asked)).map(({ method }) => method)
    return [...new Set(found)].sort()
  }
}

function fits(parts: readonly string[], asked: readonly string[]): boolean {
  if (parts.length !== asked.length) return false
  return parts.every((part, at) => (part.startsWith(':') ? asked[at] !== '' : part === asked[at]))
}
