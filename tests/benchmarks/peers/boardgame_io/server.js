"use strict";
// `node server.js PORT [FOLDER]`: boardgame.io's server, with FlatFile storage in a folder or, without one, in memory.

const { Server, FlatFile, Origins } = require("boardgame.io/server");
const { game } = require("./game.js");

async function main(port, folder) {
  const server = Server({
    games: [game],
    origins: [Origins.LOCALHOST],
    ...(folder ? { db: new FlatFile({ dir: folder }) } : {}),
  });
  await server.run({ port: Number(port), callback: () => console.log("ready") });
}

main(...process.argv.slice(2));
