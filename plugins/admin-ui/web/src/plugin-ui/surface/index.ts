/** What `@gantry/ui` is at run time: the build emits this module, and the import map leads plugins to it. */
import type * as declared from '@gantry/ui';
import * as components from './components';
import { DataTable as dataTable } from './data-table';
import { defineUi as define } from './define-ui';
import * as hooks from './hooks';
import * as inputs from './inputs';

/** The compiler holds the surface to what the package declares. */
const surface: typeof declared = { ...components, ...inputs, ...hooks, DataTable: dataTable, defineUi: define };

export const {
  Alert,
  Button,
  Card,
  CheckboxField,
  DataTable,
  Empty,
  FieldFrame,
  Grid,
  Link,
  Loading,
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
