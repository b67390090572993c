/** JSON Schema literals of operations, and the TypeScript types derived from them. */

/** Subset of JSON Schema used by operations. */
export interface Property {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object'
  readonly description?: string
  readonly enum?: readonly string[]
  readonly items?: Property
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Property
  /** Marks advice, which a face turns into text; the presence of the key is the mark. */
  readonly isAdvice?: undefined
}

export interface InputSchema extends Property {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Property>>
}

/** Object with these properties and no others; keeps the literal types. */
export function object<const R extends readonly string[], const P extends InputSchema['properties']>(
  required: R,
  properties: P,
) {
  return { type: 'object', properties, required, additionalProperties: false } as const
}

/** Type of the value described by a property's schema; `A` is the type of advice. */
export type ValueOf<P, A = string> = P extends { readonly enum: readonly (infer E)[] }
  ? E
  : P extends { readonly type: 'string' }
    ? P extends { readonly isAdvice: undefined }
      ? A
      : string
    : P extends { readonly type: 'integer' }
      ? number
      : P extends { readonly type: 'boolean' }
        ? boolean
        : P extends { readonly type: 'array'; readonly items: infer I }
          ? readonly ValueOf<I, A>[]
          : P extends { readonly properties: infer Props }
            ? ObjectOf<Props, RequiredOf<P>, A>
            : P extends { readonly additionalProperties: infer V }
              ? Readonly<Record<string, ValueOf<V, A>>>
              : never

type RequiredOf<P> = P extends { readonly required: readonly (infer K)[] } ? K : never

type ObjectOf<Props, Required, A> = {
  readonly [K in keyof Props as K extends Required ? K : never]: ValueOf<Props[K], A>
} & {
  readonly [K in keyof Props as K extends Required ? never : K]?: ValueOf<Props[K], A> | undefined
}
