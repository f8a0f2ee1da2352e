import { gantryUi } from '@gantry/ui/vite';

export default { plugins: [gantryUi()] };
