const brand = Symbol.for('gantry.serviceToken');
const syntax = /^[a-z][a-z0-9-]{1,39}\.[a-z][A-Za-z0-9]{0,59}$/;

declare const serviceType: unique symbol;

/** The name of a service that a plugin provides to others, with the type of the service. @public */
export interface ServiceToken<T> {
  /** `<id of the plugin that provides it>.<name>`, for example `media.imageStore`. */
  readonly id: string;
  /** For the compiler only. */
  readonly [serviceType]?: T;
}

/** A service: an object of methods. @public */
export type ServiceMethods<T> = { readonly [K in keyof T]: (...args: never[]) => unknown };

/**
 * Makes the token of a service. Tokens with the same id are the same, so that a plugin needs no import of code from the
 * plugin that provides the service: the type is enough.
 * @example const imageStore = serviceToken<ImageStore>('media.imageStore');
 * @throws TypeError when the id is not made of a plugin id, a point and a name
 * @public
 */
export function serviceToken<T extends ServiceMethods<T>>(id: string): ServiceToken<T> {
  // Plain JavaScript may give anything.
  const given: unknown = id;
  if (typeof given !== 'string' || !syntax.test(given)) {
    throw new TypeError(
      `A service token must be a plugin id, a point and a name, such as "media.imageStore"; got ${JSON.stringify(given)}`,
    );
  }
  return Object.freeze(Object.defineProperty({ id: given }, brand, { value: true }));
}

/** Recognises by brand, so that a token from another copy of this package counts too. @internal */
export function isServiceToken(value: unknown): value is ServiceToken<unknown> {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}
