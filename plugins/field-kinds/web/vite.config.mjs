import { gantryUi } from '@gantry/ui/vite';

export default { logLevel: 'warn', plugins: [gantryUi({ entry: 'web/src/index.tsx' })] };
