module.exports = async function tearDown() {
  await globalThis.__gantryTestRun?.stop();
};
