import { mayWrite } from '../../content/policy/scope';
import { methodNotAllowed, type Routes } from '../exchange/routes';
import { createExportHandler, type ExportDependencies } from './export-handler';
import { createImportHandler, type ImportDependencies } from './imports/import-handler';

/** Import and export of items as files. */
export function transferRoutes(dependencies: ImportDependencies & ExportDependencies): Routes {
  const { scopeOf, findType } = dependencies;
  return (app) => {
    app
      .route('/api/cms/imports/:type')
      .post(createImportHandler(dependencies))
      .all(
        methodNotAllowed((request) => {
          const scope = scopeOf(request);
          return mayWrite(scope, 'import', findType(scope, request.params.type)) ? 'POST' : '';
        }),
      );
    app.route('/api/cms/exports/:type').post(createExportHandler(dependencies)).all(methodNotAllowed('POST'));
  };
}
