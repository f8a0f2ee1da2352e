import type { Caller } from '@gantry/plugin-api';
import type { Principal } from '../../ports/authenticator';

const principals = new WeakMap<Caller, Principal>();

/** Who makes the request, as plugins see it. */
export function callerOf(principal: Principal): Caller {
  const { kind, id, name, login, rights, viewsAs, succeedsLocal } = principal;
  // Requests without a credential reach no code of plugins.
  if (kind === 'public') throw new Error('A request without a credential reached a plugin.');
  const caller: Caller = {
    ...{ kind, id, name, login, permissions: rights.permissions },
    ...(rights.isAdministrator ? { isAdministrator: true } : {}),
    ...(viewsAs === undefined ? {} : { viewsAs }),
    ...(succeedsLocal === true ? { succeedsLocal } : {}),
  };
  principals.set(caller, principal);
  return caller;
}

/** Of whom {@link callerOf} has made the caller; undefined for any other object, which a plugin may have made. */
export function principalOfCaller(caller: Caller): Principal | undefined {
  return principals.get(caller);
}
