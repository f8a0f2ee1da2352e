/**
 * A schema of a part of a request: it validates a value, and describes itself as JSON Schema. Any library that implements
 * Standard Schema and Standard JSON Schema (https://standardschema.dev) gives such schemas, for example zod since 4.2.
 * @public
 */
export interface RequestSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly jsonSchema: {
      /** The JSON Schema of what a client sends. @throws for a schema that cannot be written as one */
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

/** The result of a schema: the value as the handler gets it, or problems. @public */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong with a value. @public */
export interface SchemaIssue {
  /** For a person, for example `reason must be text`. */
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  /**
   * Additions of a library. `code` in it becomes the code of the entry in `details` (VALUE_INVALID unless given).
   * @example z.string().refine(isOrderId, { error: 'orderId has a wrong form', params: { code: 'ORDER_ID_INVALID' } })
   */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** The schemas of the parts of a request. @public */
export interface RequestSchemas {
  /** Of the parameters of the path, an object of texts. */
  readonly params?: RequestSchema;
  /** Of the query parameters, an object of texts; it names all that the route knows, any other one is a 400. */
  readonly query?: RequestSchema;
  /** Of the JSON body. A request without a body is `undefined` to it. */
  readonly body?: RequestSchema;
}

/** One part of a request after its schema of `Schemas`; `Unparsed` where there is none. @public */
export type Parsed<Schemas, Part extends keyof RequestSchemas, Unparsed> = Schemas extends {
  readonly [part in Part]: RequestSchema<infer Output>;
}
  ? Output
  : Unparsed;
