import type { ItemAction, Role } from '@gantry/contracts';
import { queryOptions } from '@tanstack/react-query';
import { callPlatform } from '../../api/platform/call-platform';

/** The role of requests without a credential: it can read only, and users cannot have it. */
export const publicRole = 'public';

export type RoleDraft = Omit<Role, 'isBuiltIn'>;

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/roles', {}, signal)).data,
});

/** Permissions that roles can have besides those on items. */
export const permissionsQuery = queryOptions({
  queryKey: ['permissions'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/permissions', {}, signal)).data,
});

export async function createRole(body: RoleDraft): Promise<Role> {
  return (await callPlatform('POST', '/api/platform/roles', { body })).data;
}

export async function replaceRole({ name, ...body }: RoleDraft): Promise<Role> {
  return (await callPlatform('PUT', '/api/platform/roles/{name}', { path: { name }, body })).data;
}

/** From the next page on, the administrator has the rights of the role only. */
export async function viewAs(role: string): Promise<void> {
  await callPlatform('PUT', '/api/platform/view-as', { body: { roles: [role] } });
  location.assign('/admin/');
}

export async function endViewAs(): Promise<void> {
  await callPlatform('DELETE', '/api/platform/view-as', {});
  location.reload();
}

export interface RightsQuestion {
  readonly user: string;
  readonly type: string;
  readonly action: ItemAction;
  /** Empty for any item. */
  readonly item: string;
}

export async function explainRights({ item, ...question }: RightsQuestion) {
  const query = { ...question, ...(item.trim() === '' ? {} : { item: item.trim() }) };
  return (await callPlatform('GET', '/api/platform/explain', { query })).data;
}

export async function deleteRole(name: string): Promise<void> {
  await callPlatform('DELETE', '/api/platform/roles/{name}', { path: { name } });
}
