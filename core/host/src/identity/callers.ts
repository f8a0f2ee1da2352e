import type { Caller } from '@gantry/plugin-api';
import type { Principal } from './authenticator';
import type { Rights } from './roles/rights';

const rightsByCaller = new WeakMap<Caller, Rights>();

/** Who makes the request, as plugins see it. */
export function callerOf({ kind, id, name, rights, viewsAs, succeedsLocal }: Principal): Caller {
  const caller: Caller = {
    ...{ kind, id, name, permissions: rights.permissions },
    ...(viewsAs === undefined ? {} : { viewsAs }),
    ...(succeedsLocal === true ? { succeedsLocal } : {}),
  };
  rightsByCaller.set(caller, rights);
  return caller;
}

/** The rights of a caller that {@link callerOf} has made; undefined for any other object, which a plugin may have made. */
export function rightsOfCaller(caller: Caller): Rights | undefined {
  return rightsByCaller.get(caller);
}
