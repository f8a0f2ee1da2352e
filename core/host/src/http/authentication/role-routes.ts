import type { IncomingMessage } from 'node:http';
import type { Role } from '@gantry/contracts';
import { importRoles, newRoleOf, roleInput, rolesOfFile, type Identity, type NewRole } from '../../identity';
import { isJsonObject } from '../../common/json';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { assertPermission } from '../exchange/principal';
import { parseQuery } from '../exchange/query';
import { addPath, addReadRoute, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import type { ItemTypes } from '../../content/compile/item-types';
import { assertOperators } from './assert-operators';
import type { GrantsShownTo } from './grants-shown-to';
import { assertManagesRoles } from './assert-manages-users';

export interface RoleRouteDependencies {
  readonly identity: Identity;
  /** The grants of roles as who makes the request may see them. */
  readonly grantsShownTo: GrantsShownTo;
  readonly readJson: ReadJson;
  /** All types, whose operators conditions can have. */
  readonly types: ItemTypes;
}

interface NameParams {
  readonly name: string;
}

/** Roles: read by those who give them to users, changed by administrators. */
export function roleRoutes(dependencies: RoleRouteDependencies): Routes {
  const { roles } = dependencies.identity;
  return (app) => {
    addPath(app, '/api/platform/roles', rolesPath(dependencies), ['post', 'patch']);
    addPath(app, '/api/platform/roles/:name', rolePath(dependencies), ['put']);
    addReadRoute(app, '/api/platform/permissions', (request, response) => {
      parseQuery(request, []);
      assertPermission(request, 'users.manage');
      sendData(response, 200, JSON.stringify(roles.permissions()));
    });
  };
}

function shownTo(request: IncomingMessage, grantsShownTo: GrantsShownTo): (role: Role) => Role {
  const shown = grantsShownTo(request);
  return (role) => ({ ...role, grants: shown(role.grants) });
}

function rolesPath({ identity, readJson, grantsShownTo, types }: RoleRouteDependencies): PathHandlers<object> {
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertPermission(request, 'users.manage');
      const roles = await identity.roles.list();
      sendData(response, 200, JSON.stringify(roles.map(shownTo(request, grantsShownTo))));
    },
    async post(request, response) {
      parseQuery(request, []);
      const author = assertManagesRoles(identity, request);
      const wanted = readRole(await readJson(request, response), types);
      const role = await identity.change(author, async ({ roles, record }) => {
        const created = await roles.create(wanted);
        await record({ action: 'role-created', subject: `role:${created.name}`, detail: { role: created } });
        return created;
      });
      sendData(response, 201, JSON.stringify(role));
    },
    async patch(request, response) {
      parseQuery(request, []);
      const author = assertManagesRoles(identity, request);
      const wanted = rolesOfFile(await readJson(request, response));
      assertOperators(wanted, types, (index) => `roles[${index}].`);
      const roles = await identity.change(author, (change) => importRoles(change, wanted));
      sendData(response, 200, JSON.stringify(roles));
    },
  };
}

function rolePath({ identity, readJson, grantsShownTo, types }: RoleRouteDependencies): PathHandlers<NameParams> {
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertPermission(request, 'users.manage');
      const role = await identity.roles.get(request.params.name);
      sendData(response, 200, JSON.stringify(shownTo(request, grantsShownTo)(role)));
    },
    async put(request, response) {
      parseQuery(request, []);
      const author = assertManagesRoles(identity, request);
      const body = await readJson(request, response);
      const { name } = request.params;
      const wanted = readRole(isJsonObject(body) ? { ...body, name } : body, types);
      const role = await identity.change(author, async ({ roles, record }) => {
        const replaced = await roles.replace(wanted);
        await record({ action: 'role-changed', subject: `role:${name}`, detail: { role: replaced } });
        return replaced;
      });
      sendData(response, 200, JSON.stringify(role));
    },
    async delete(request, response) {
      parseQuery(request, []);
      const author = assertManagesRoles(identity, request);
      await readJson(request, response);
      await identity.change(author, async ({ roles, record }) => {
        const role = await roles.remove(request.params.name);
        await record({ action: 'role-deleted', subject: `role:${role.name}`, detail: { role } });
      });
      response.status(204).end();
    },
  };
}

function readRole(body: unknown, types: ItemTypes): NewRole {
  const role = newRoleOf(parseBody(roleInput, body));
  assertOperators([role], types);
  return role;
}
