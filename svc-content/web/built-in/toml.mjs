/**
 * Reads the part of TOML that the content files use: tables of arrays, strings on one or several lines, numbers, booleans and
 * arrays of strings. Anything else is refused by line, so that a text can never be half read.
 */
export function parseToml(text) {
  const root = {};
  let table = root;
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index].trim();
    if (!line || line.startsWith('#')) continue;
    const header = /^\[\[([a-z_.]+)\]\]$/.exec(line) ?? /^\[([a-z_.]+)\]$/.exec(line);
    if (header) {
      table = line.startsWith('[[') ? append(root, header[1].split('.')) : (root[header[1]] = {});
      continue;
    }
    const pair = /^([a-z_0-9]+) = (.*)$/.exec(line);
    if (!pair) throw new Error(`line ${index + 1}: ${line}`);
    let value = pair[2];
    if (value === '"""') {
      const end = lines.indexOf('"""', index + 1);
      table[pair[1]] = `${lines.slice(index + 1, end).join('\n')}\n`;
      index = end;
      continue;
    }
    while (value.startsWith('[') && !value.endsWith(']')) value += ` ${lines[(index += 1)].trim()}`;
    table[pair[1]] = parseValue(value, index + 1);
  }
  return root;
}

function append(root, path) {
  const last = path.pop();
  const parent = path.reduce((table, key) => table[key].at(-1), root);
  const added = {};
  (parent[last] ??= []).push(added);
  return added;
}

/** Strings are written as in JSON; arrays may end in a comma. */
function parseValue(text, line) {
  try {
    return JSON.parse(text.replace(/,\s*\]$/, ']'));
  } catch (error) {
    throw new Error(`line ${line}: ${text}`, { cause: error });
  }
}
