#!/usr/bin/env node
// The program. Old syntax on purpose: it must say something useful under any Node. Under an old one it starts itself
// again with the package's own Node 24, if that is installed.
'use strict';
var path = require('path');
var fs = require('fs');
var root = path.dirname(__dirname);
var entry = path.join(root, 'dist', 'cli.mjs');

function fail(lines) {
  process.stderr.write(lines.join('\n') + '\n');
  process.exit(5);
}

// The kept answer of a command that only looks, printed by one small file; whatever keeps it from that, the program answers.
function hasGlanced() {
  try {
    var code = require(path.join(root, 'dist', 'glance.cjs')).glance(process.argv.slice(2), process.env);
    if (code === null) return false;
    process.exitCode = code;
    return true;
  } catch {
    return false;
  }
}

// Started by this file under another Node: what is sent to that process alone is meant for this one. Ctrl-C in a terminal reaches both, and counts
// once: the message waits for the signal that may be on its way. Where the process that was started is gone, nothing may go on without it.
var SIGNAL_MS = 200;
function obeyLauncher() {
  var direct = 0;
  var handed = 0;
  function count() {
    direct += 1;
  }
  // Only beside another listener: a listener of its own would keep Ctrl-C from ending a command that has none.
  process.on('newListener', function (name, listener) {
    if (name === 'SIGINT' && listener !== count && process.listenerCount(name) === 0) process.on(name, count);
  });
  process.on('removeListener', function (name) {
    if (name === 'SIGINT' && process.listenerCount(name) === 1 && process.listeners(name)[0] === count)
      process.removeListener(name, count);
  });
  process.on('message', function (signal) {
    if (signal !== 'SIGINT') return;
    handed += 1;
    setTimeout(function () {
      if (direct < handed) process.kill(process.pid, 'SIGINT');
    }, SIGNAL_MS);
  });
  process.on('disconnect', function () {
    process.kill(process.pid, 'SIGTERM');
  });
  process.channel.unref();
}

function start() {
  if (process.channel && process.env.HARNESS_LAUNCHED) obeyLauncher();
  delete process.env.HARNESS_LAUNCHED;
  if (!fs.existsSync(entry)) fail(['error: harness is not built yet.', '  → npm ci   (in ' + root + ')']);
  if (hasGlanced()) return;
  var module_ = require('module');
  if (module_.enableCompileCache) module_.enableCompileCache();
  import(require('url').pathToFileURL(entry).href).catch(function (error) {
    process.stderr.write(String((error && error.stack) || error) + '\n');
    process.exit(1);
  });
}

if (Number(process.versions.node.split('.')[0]) >= 24) {
  start();
} else {
  var own = path.join(root, 'node_modules', 'node', 'bin', 'node');
  if (!fs.existsSync(own))
    fail([
      'error: harness needs Node 24 or newer; this is ' + process.version + '.',
      '  → install Node 24 (https://nodejs.org), then call harness again; nothing was changed.',
    ]);
  process.env.HARNESS_LAUNCHED = '1';
  var child = require('child_process').spawn(own, [__filename].concat(process.argv.slice(2)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      // A terminal sends Ctrl-C to both; a plain kill reaches only this process.
      if (signal !== 'SIGINT') child.kill(signal);
      else if (child.connected) child.send(signal);
    });
  });
  child.on('exit', function (code, signal) {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code === null ? 1 : code);
  });
}
