import { fileGraph, findCycles, folderGraph, wayAround } from './cycles.ts';
import { importsOf } from './imports.ts';
import { folderOf, type House, type Place } from './tree.ts';

const FILES_MAX = 20;
const PICTURE = /\.(png|jpg|svg|ico)$/;

export function findFolderCycles(house: House): Place[] {
  const imports = importsOf(house);
  const graph = folderGraph(imports);
  return findCycles(graph)
    .flat()
    .map((folder) => ({ file: folder, what: wayAround(graph, folder).join(' → ') }));
}

export function findFileCycles(house: House): Place[] {
  const graph = fileGraph(importsOf(house));
  return findCycles(graph)
    .flat()
    .map((file) => ({ file, what: wayAround(graph, file).join(' → ') }));
}

export function findFullFolders(house: House): Place[] {
  const counts = new Map<string, number>();
  for (const file of house.files) {
    if (!PICTURE.test(file)) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > FILES_MAX)
    .sort(([, one], [, other]) => other - one)
    .map(([folder, count]) => ({ file: folder, what: `${count} files` }));
}
