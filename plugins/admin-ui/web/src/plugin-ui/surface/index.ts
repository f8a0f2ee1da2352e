/** Module `@gantry/ui` at run time: the build emits this module, and the import map leads plugins to it. */
import type * as declared from '@gantry/ui';
import { DataTable as dataTable } from '../../ui/data-table';
import * as components from './components';
import { defineUi as define } from './define-ui';
import { FieldControl as fieldControl } from './field-control';
import * as hooks from './hooks';
import * as inputs from './inputs';
import { OrderedList as orderedList } from './ordered-list';

/** The compiler holds the surface to what the package declares. */
const surface: typeof declared = {
  ...components,
  ...inputs,
  ...hooks,
  DataTable: dataTable,
  FieldControl: fieldControl,
  OrderedList: orderedList,
  defineUi: define,
};

export const {
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
  defineUi,
  useColourScheme,
  useItem,
  useItems,
} = surface;
