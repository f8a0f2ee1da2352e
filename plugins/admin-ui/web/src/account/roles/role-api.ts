import type { ItemAction, Permission, Role } from '@gantry/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../api/request';

/** The role of requests without a credential: it can read only, and users cannot have it. */
export const publicRole = 'public';

export type RoleDraft = Omit<Role, 'isBuiltIn'>;

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async ({ signal }) => (await request<readonly Role[]>('/api/platform/roles', { signal })).data,
});

/** What roles can allow besides items. */
export const permissionsQuery = queryOptions({
  queryKey: ['permissions'],
  queryFn: async ({ signal }) => (await request<readonly Permission[]>('/api/platform/permissions', { signal })).data,
});

export async function createRole(role: RoleDraft): Promise<Role> {
  return (await request<Role>('/api/platform/roles', { method: 'POST', body: role })).data;
}

export async function replaceRole({ name, ...role }: RoleDraft): Promise<Role> {
  return (await request<Role>(`/api/platform/roles/${name}`, { method: 'PUT', body: role })).data;
}

/** From the next page on, the administrator has the rights of the role only. */
export async function viewAs(role: string): Promise<void> {
  await request('/api/platform/view-as', { method: 'PUT', body: { roles: [role] } });
  location.assign('/admin/');
}

export async function endViewAs(): Promise<void> {
  await request('/api/platform/view-as', { method: 'DELETE' });
  location.reload();
}

export interface RightsQuestion {
  readonly user: string;
  readonly type: string;
  readonly action: ItemAction;
  /** Empty for any item. */
  readonly item: string;
}

export interface RightsAnswer {
  readonly allowed: boolean;
  readonly by: readonly { readonly role: string }[];
  /** One sentence. */
  readonly reason: string;
}

export async function explainRights({ item, ...question }: RightsQuestion): Promise<RightsAnswer> {
  const query = new URLSearchParams({ ...question, ...(item.trim() === '' ? {} : { item: item.trim() }) });
  return (await request<RightsAnswer>(`/api/platform/explain?${query.toString()}`)).data;
}

export async function deleteRole(name: string): Promise<void> {
  await request(`/api/platform/roles/${name}`, { method: 'DELETE' });
}
