/** JSON Schema literals of operations, and the TypeScript types that follow from them: types only, nothing at run time. */

/** The part of JSON Schema that operations use. */
export interface Property {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object'
  readonly description?: string
  readonly enum?: readonly string[]
  readonly items?: Property
  readonly minimum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Property
}

export interface InputSchema extends Property {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Property>>
}

/** The value that a property's schema describes. */
export type ValueOf<P> = P extends { readonly enum: readonly (infer E)[] }
  ? E
  : P extends { readonly type: 'string' }
    ? string
    : P extends { readonly type: 'integer' }
      ? number
      : P extends { readonly type: 'boolean' }
        ? boolean
        : P extends { readonly type: 'array'; readonly items: infer I }
          ? readonly ValueOf<I>[]
          : P extends { readonly properties: infer Props }
            ? ObjectOf<Props, RequiredOf<P>>
            : P extends { readonly additionalProperties: infer A }
              ? Readonly<Record<string, ValueOf<A>>>
              : never

type RequiredOf<P> = P extends { readonly required: readonly (infer K)[] } ? K : never

type ObjectOf<Props, Required> = {
  readonly [K in keyof Props as K extends Required ? K : never]: ValueOf<Props[K]>
} & {
  readonly [K in keyof Props as K extends Required ? never : K]?: ValueOf<Props[K]> | undefined
}
