import type { ComponentType } from 'react';
import { unreachable } from './api-error';

/**
 * The module of a page, as `lazy` of a route takes it. Whatever keeps its script or its styles from being loaded counts as an
 * unreachable platform: browsers and the bundler report it by errors of several kinds.
 * @throws ApiError
 */
export async function loadPage(load: () => Promise<ComponentType>): Promise<{ readonly Component: ComponentType }> {
  return { Component: await loadScript(load) };
}

/** Exports of a script of the application. @throws ApiError as {@link loadPage} does */
export async function loadScript<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    throw unreachable();
  }
}
