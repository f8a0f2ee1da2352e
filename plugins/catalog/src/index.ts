import { definePlugin } from '@gantry/plugin-api';
import { Catalog } from './catalog';
import { Category } from './category';
import { migrations } from './migrations';
import { Product } from './product';
import { Promotion } from './promotion';

export { Catalog, Category, Product, Promotion };

export default definePlugin({ id: 'catalog', itemTypes: [Catalog, Category, Product, Promotion], migrations });
