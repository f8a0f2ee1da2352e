/**
 * `npm run mutants -- --size=60 --seed=1`: changes one operator, condition or result of the kernel, the modules and the services at a
 * time, and runs the tests that may notice: those that import the file, and then those of the packages above. A mutant that survives
 * is code that no test looks at, or a change without effect. The same seed draws the same mutants; results are in
 * reports/mutants-<seed>.json, and a run that was stopped goes on from there.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript-5';
import { root } from './lib/run.mjs';

const sources = [
  ...['common', 'database', 'content', 'loader', 'http', 'plugin-api'].map((name) => `core/${name}/src`),
  'core/modules',
  'services',
];
/** Tests that reach a package by its build. */
const beyond = [
  [/^core\/(common|content|database|plugin-api)\//, 'core/host/test/(content|database)|core/modules/transfer/test'],
  [/^core\/http\//, 'test/e2e/rest/(content|requests|query-parameters)'],
  [/^core\/loader\//, 'core/host/test|core/modules/lifecycle/test'],
  [/^core\/modules\/identity\//, 'test/e2e/sign-in/(accounts|rights|oidc)'],
  [/^core\/modules\/transfer\//, 'test/e2e/rest/(imports|streams)'],
  [/^core\/modules\/webhooks\//, 'test/webhooks'],
  [/^core\/modules\/history\//, 'core/host/test/history|test/e2e/rest/content'],
  [/^core\/modules\/lifecycle\//, 'core/host/test|test/launcher/plugin-changes'],
  [/^services\//, 'test/services|test/workflows'],
];
/** Operators and what replaces them. */
const exchanged = new Map(
  Object.entries({
    '===': '!==',
    '!==': '===',
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '&&': '||',
    '||': '&&',
    '+': '-',
    '-': '+',
  }),
);
const limitMs = 10 * 60_000;

const { values } = parseArgs({ options: { size: { type: 'string' }, seed: { type: 'string' } } });
const [size, seed] = [Number(values.size ?? 60), Number(values.seed ?? 1)];
// An end by a signal waits for the test that runs, and puts the source back.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const report = join(root, `reports/mutants-${seed}.json`);
const results = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [];
for (const mutant of draw(size, seed).slice(results.length)) {
  const result = { ...mutant, outcome: testMutant(mutant) };
  results.push(result);
  mkdirSync(join(root, 'reports'), { recursive: true });
  writeFileSync(report, JSON.stringify(results, undefined, 2));
  // Lets a signal end it.
  await new Promise((resolve) => setImmediate(resolve));
  console.log(`${result.outcome} ${mutant.file}:${mutant.line} ${mutant.before} -> ${mutant.after}`);
}
const survived = results.filter(({ outcome }) => outcome === 'survived');
console.log(
  `${results.length} mutants, seed ${seed}: ${results.length - survived.length} caught, ${survived.length} survived`,
);

function draw(count, from) {
  const files = sources.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\/src\/.*(?<!\.d)\.ts$/.test(`/${folder}/${name}`) && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`),
  );
  const placeOf = ({ file, start, after }) =>
    createHash('sha1').update(`${from} ${file} ${start} ${after}`).digest('hex');
  const placed = files.flatMap(mutantsOf).map((mutant) => [placeOf(mutant), mutant]);
  return placed
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, count)
    .map(([, mutant]) => mutant);
}

function mutantsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, after) => {
    const start = node.getStart();
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ file, line, start, end: node.end, before: text.slice(start, node.end), after });
  };
  const visit = (node) => {
    if (ts.isBinaryExpression(node)) addOperator(node.operatorToken, add);
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      add(condition, `!(${condition.getText()})`);
    }
    if (ts.isNumericLiteral(node) && ts.isExpression(node.parent)) add(node, `(${node.getText()} + 1)`);
    if (ts.isExpressionStatement(node) && ts.isBlock(node.parent)) add(node, ';');
    if (
      [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(node.kind) &&
      !ts.isLiteralTypeNode(node.parent)
    ) {
      add(node, node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true');
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function addOperator(operator, add) {
  const after = exchanged.get(operator.getText());
  if (after !== undefined) add(operator, after);
}

/** In the source and in the build, because tests of other packages load that. */
function testMutant({ file, start, end, after }) {
  const source = join(root, file);
  const build = join(root, file.replace('/src/', '/dist/').replace(/\.ts$/, '.js'));
  const originals = [source, build].map((path) => [path, readFileSync(path, 'utf8')]);
  const [[, text]] = originals;
  const changed = text.slice(0, start) + after + text.slice(end);
  const compilerOptions = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    esModuleInterop: true,
  };
  const restore = () => {
    for (const [path, content] of originals) writeFileSync(path, content);
  };
  process.once('exit', restore);
  try {
    writeFileSync(source, changed);
    writeFileSync(build, ts.transpileModule(changed, { compilerOptions, fileName: source }).outputText);
    const others = beyond.find(([pattern]) => pattern.test(file))?.[1];
    return passes(['--selectProjects', 'packages', '--findRelatedTests', source]) &&
      passes(['--testPathPatterns', others])
      ? 'survived'
      : 'caught';
  } finally {
    restore();
    process.off('exit', restore);
  }
}

function passes(filters) {
  const args = ['node_modules/jest/bin/jest.js', '--bail', '--passWithNoTests', '--silent', ...filters];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'ignore', timeout: limitMs }).status === 0;
}
