import type { ComponentType } from 'react';
import type { Field, FieldValue, Item, ItemsClient, Value } from './items';

/** The version of this surface; a manifest names it as `gantry.ui.apiVersion`. @public */
export type UiApiVersion = 1;

/** The admin pages, as a plugin's pages use them. @public */
export interface Host {
  readonly plugin: { readonly id: string; readonly displayName: string };
  readonly items: ItemsClient;
  /** Opens a path below `/admin`, for example `/content/product/7`. */
  navigate(path: string): void;
  /** Shows a short notification; problems that require an action belong into the page. */
  notify(message: string, kind?: 'success' | 'warning' | 'error'): void;
  /** Calls a route of the platform, such as one of the plugin, and opens the envelope. Rejects with a PlatformError. */
  request<T>(path: string, options?: RequestOptions): Promise<T>;
}

/** @public */
export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Additions of a plugin; the keys are those that its manifest names, no more and no less. @public */
export interface Ui {
  /** By path; the plugin's first page has the empty one. */
  readonly pages?: Readonly<Record<string, ComponentType<PageProps>>>;
  /** By `<type>.<field>` or field type. */
  readonly fields?: Readonly<Record<string, ComponentType<FieldProps>>>;
  /** By `<type>.<field>` or field type. */
  readonly cells?: Readonly<Record<string, ComponentType<CellProps>>>;
  /** By the field kind that the plugin brings, for example `geo.Point`. */
  readonly filters?: Readonly<Record<string, ComponentType<FilterProps>>>;
  /** By type code, then by name. */
  readonly itemActions?: Readonly<Record<string, Readonly<Record<string, ItemAction>>>>;
}

/** @public */
export interface PageProps {
  /** The rest of the address after the page's path: `7` at `/admin/x/paints/by-room/7` for the page `by-room`. */
  readonly rest: string;
  readonly search: URLSearchParams;
}

/** @public */
export interface FieldProps {
  /** The id that the control, or the first of its parts that takes the focus, must have: problems lead there. */
  readonly id: string;
  readonly type: string;
  readonly field: Field;
  readonly value: FieldValue;
  /** The problem of the value. */
  readonly error: string | undefined;
  /** The same, one by one, with the part of the value that each is about. */
  readonly problems?: readonly ValueProblem[] | undefined;
  /** Values in the form of a new item of the fields in `derivedFrom`, by name; undefined for any other field. */
  readonly sources?: Readonly<Record<string, FieldValue>> | undefined;
  /** Takes a value of the same kind as `value`. */
  onChange(value: FieldValue): void;
}

/** A problem of a value, or of a part of it. @public */
export interface ValueProblem {
  /** Where in the value, for example `[2].url`; empty for the value as a whole. */
  readonly path: string;
  /** Continues the name of the part, for example `is required`. */
  readonly message: string;
}

/** The value of a filter on a field. @public */
export interface FilterProps {
  readonly field: Pick<Field, 'name' | 'displayName'>;
  /** Names the control. */
  readonly label: string;
  /** The operator of the criterion, for example `WITHIN`. */
  readonly operator: string;
  /** The text of the criterion; empty for none. */
  readonly value: string;
  onChange(value: string): void;
}

/** @public */
export interface CellProps {
  readonly type: string;
  readonly column: { readonly name: string; readonly displayName: string; readonly type: string };
  readonly value: Value | undefined;
  readonly item: Item;
}

/** @public */
export type ItemAction = (call: ItemActionCall) => Promise<string | void>;

/** @public */
export interface ItemActionCall {
  readonly type: string;
  /** As it was shown; read it again where that matters. */
  readonly item: Item;
  /** Aborts after a minute. */
  readonly signal: AbortSignal;
}

/** The result of `defineUi`; the default export of a plugin's built module. @public */
export interface UiDefinition {
  readonly gantryUi: UiApiVersion;
  readonly setUp: (host: Host) => Ui;
}

/**
 * Declares what a plugin adds to the admin pages.
 * @example
 * export default defineUi((host) => ({ pages: { '': () => <Page title="Palette">…</Page> } }));
 * @public
 */
export declare function defineUi(setUp: (host: Host) => Ui): UiDefinition;
