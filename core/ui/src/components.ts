import type { ReactElement, ReactNode } from 'react';
import type { Field, FieldValue } from './items';

/** The head of a page, its only first-level heading, and the content below. Every page has one. @public */
export declare function Page(props: PageFrameProps): ReactElement;
/** @public */
export interface PageFrameProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons at the end of the head. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a page with a heading. @public */
export declare function Card(props: CardProps): ReactElement;
/** @public */
export interface CardProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** Its parts below each other. @public */
export declare function Stack(props: LayoutProps): ReactElement;
/** Its parts side by side, in several lines where they do not fit. @public */
export declare function Row(props: LayoutProps): ReactElement;
/** Its parts in columns of the same width, as many as fit. @public */
export declare function Grid(props: LayoutProps): ReactElement;
/** @public */
export interface LayoutProps {
  readonly children?: ReactNode;
}

/** @public */
export declare function Button(props: ButtonProps): ReactElement;
/** @public */
export interface ButtonProps {
  readonly children: ReactNode;
  readonly onClick?: () => void;
  /** `submit` sends the form around it. */
  readonly type?: 'button' | 'submit';
  /** `primary` for the one thing a page is for, `danger` for what cannot be taken back. */
  readonly kind?: 'primary' | 'normal' | 'quiet' | 'danger';
  readonly disabled?: boolean;
  /** It is at work: shown as such, and cannot be pressed again. */
  readonly busy?: boolean;
  readonly id?: string;
  /** The text for screen readers, where the shown text is not enough: `Remove entry 2` of the button Remove. It has the text in it. */
  readonly label?: string;
}

/** A link to a path below `/admin`, for example `/content/product/7`. @public */
export declare function Link(props: LinkProps): ReactElement;
/** @public */
export interface LinkProps {
  readonly to: string;
  readonly children: ReactNode;
}

/** @public */
export declare function Text(props: TextProps): ReactElement;
/** @public */
export interface TextProps {
  readonly children: ReactNode;
  readonly kind?: 'normal' | 'quiet' | 'strong';
}

/** Properties of all inputs. @public */
export interface InputProps {
  readonly label: string;
  readonly id?: string;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly disabled?: boolean;
}

/** @public */
export declare function TextField(props: TextFieldProps): ReactElement;
/** @public */
export interface TextFieldProps extends InputProps {
  readonly value: string;
  onChange(value: string): void;
  readonly placeholder?: string;
  /** `lines` for text of several lines. */
  readonly kind?: 'text' | 'number' | 'search' | 'lines';
}

/** @public */
export declare function SelectField(props: SelectFieldProps): ReactElement;
/** @public */
export interface SelectFieldProps extends InputProps {
  readonly value: string;
  onChange(value: string): void;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** @public */
export declare function CheckboxField(props: CheckboxFieldProps): ReactElement;
/** @public */
export interface CheckboxFieldProps extends Omit<InputProps, 'required'> {
  readonly checked: boolean;
  onChange(checked: boolean): void;
}

/**
 * Label, description and error around your own control. The control gets the attributes that connect it to them.
 * With `group`, several controls share the label: it becomes the name of the group.
 * @public
 */
export declare function FieldFrame(props: FieldFrameProps): ReactElement;
/** @public */
export interface FieldFrameProps extends Omit<InputProps, 'disabled'> {
  readonly id: string;
  readonly group?: boolean;
  readonly children: (control: ControlAttributes) => ReactNode;
}
/** @public */
export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
  readonly 'aria-required': boolean;
}

/** Entries in an order that counts and can be changed, by buttons, or by dragging. @public */
export declare function OrderedList<T>(props: OrderedListProps<T>): ReactElement;
/** @public */
export interface OrderedListProps<T> {
  readonly label: string;
  readonly entries: readonly T[];
  idOf(entry: T): string;
  /** Names the buttons of the entry, for example `entry 2`. */
  nameOf(entry: T): string;
  /** Takes the entries in another order. */
  onChange(entries: readonly T[]): void;
  renderEntry(entry: T): ReactNode;
}

/**
 * The control of a field as forms have it, built in or of a plugin, for a control whose values have parts.
 * Only within a control of `fields`.
 * @public
 */
export declare function FieldControl(props: FieldControlProps): ReactElement;
/** @public */
export interface FieldControlProps {
  readonly id: string;
  readonly field: Field;
  readonly value: FieldValue;
  readonly error: string | undefined;
  onChange(value: FieldValue): void;
}

/** A table of rows that are all loaded. @public */
export declare function DataTable<R>(props: DataTableProps<R>): ReactElement;
/** @public */
export interface DataTableProps<R> {
  /** Names the table. */
  readonly caption: string;
  readonly rows: readonly R[];
  rowKey(row: R): string;
  readonly columns: readonly DataColumn<R>[];
  /** Shown when there are no rows. */
  readonly empty?: string;
}
/** @public */
export interface DataColumn<R> {
  readonly title: string;
  cell(row: R): ReactNode;
  readonly align?: 'start' | 'end';
}

/** A notice that does not interrupt the work on the page. @public */
export declare function Alert(props: AlertProps): ReactElement;
/** @public */
export interface AlertProps {
  readonly title: string;
  readonly kind?: 'info' | 'success' | 'warning' | 'error';
  readonly children?: ReactNode;
}

/** A failure, with its message and a button that tries again. @public */
export declare function Problem(props: ProblemProps): ReactElement;
/** @public */
export interface ProblemProps {
  readonly error: unknown;
  readonly title?: string;
  readonly onRetry?: () => void;
}

/** Something is on its way. @public */
export declare function Loading(): ReactElement;

/** The state without content, with a next step. @public */
export declare function Empty(props: EmptyProps): ReactElement;
/** @public */
export interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}
