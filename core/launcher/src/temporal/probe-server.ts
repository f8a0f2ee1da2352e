import { callNamespace } from './http-api';
import type { HttpApi } from './http-api';

/** @returns whether the server behind this HTTP API answers for the namespace. */
export async function answers(api: HttpApi, namespace: string): Promise<boolean> {
  try {
    return (await callNamespace(api, namespace)).status === 200;
  } catch {
    return false;
  }
}
