/**
 * Imports of pages of a plugin, in addition to React. These are declarations: the code behind them comes from the admin
 * pages that a built module runs in, so a module must not carry a copy of it (see `@gantry/ui/vite`).
 */
export {
  Alert,
  Button,
  Card,
  CheckboxField,
  DataTable,
  Empty,
  FieldControl,
  FieldFrame,
  Grid,
  Link,
  Loading,
  OrderedList,
  Page,
  Problem,
  Row,
  SelectField,
  Stack,
  Text,
  TextField,
} from './components';
export type {
  AlertProps,
  ButtonProps,
  CardProps,
  CheckboxFieldProps,
  ControlAttributes,
  DataColumn,
  DataTableProps,
  EmptyProps,
  FieldControlProps,
  FieldFrameProps,
  InputProps,
  LayoutProps,
  LinkProps,
  OrderedListProps,
  PageFrameProps,
  ProblemProps,
  SelectFieldProps,
  TextFieldProps,
  TextProps,
} from './components';
export { defineUi } from './define-ui';
export type {
  CellProps,
  FieldProps,
  FilterProps,
  Host,
  ItemAction,
  ItemActionCall,
  PageProps,
  RequestOptions,
  Ui,
  UiApiVersion,
  UiDefinition,
  ValueProblem,
} from './define-ui';
export { useColourScheme, useItem, useItems } from './hooks';
export type { Loaded } from './hooks';
export type {
  CallOptions,
  Condition,
  Field,
  FieldValue,
  Hit,
  Item,
  ItemList,
  ItemReference,
  ItemsClient,
  ItemType,
  ListOptions,
  NewValues,
  PlatformError,
  Value,
} from './items';
