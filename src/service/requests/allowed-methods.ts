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
    const segments = path.split('/')
    const found = routes.filter(({ parts }) => fits(parts, segments)).map(({ method }) => method)
    return [...new Set(found)].sort()
  }
}

function fits(parts: readonly string[], segments: readonly string[]): boolean {
  if (parts.length !== segments.length) return false
  return parts.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]))
}
