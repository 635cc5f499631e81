/** The chat page: one thread at a time, its turns, and the box that questions are written in. */

import { byId } from "../lib/dom.js";
import { colours } from "../lib/colours.js";
import { printing } from "../lib/print.js";
import { Chat } from "./chat.js";
import { keys } from "./keys.js";
import { side } from "./side.js";

const chat = new Chat();
colours();
printing();
side();
keys(chat);
byId("new").addEventListener("click", () => chat.begin());
addEventListener("offline", () => chat.banner("You are offline."));
addEventListener("online", () => chat.banner(""));
addEventListener("hashchange", () => chat.open(location.hash.slice(1)));
chat.start();
