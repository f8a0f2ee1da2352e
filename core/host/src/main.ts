import { modules } from './modules';
import { runHost } from './run-host';

void runHost(modules);
