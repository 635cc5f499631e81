/** A page as its authors write it: `useChat` with nothing but an id, what it keeps drawn as text, three buttons. */

import { createElement as el, useState } from "react";
import { createRoot } from "react-dom/client";
import { useChat } from "@ai-sdk/react";

const id = new URLSearchParams(location.search).get("id");

function Page({ messages, resume }) {
  const [text, setText] = useState("");
  const chat = useChat({ id, messages, resume });
  const send = (event) => {
    event.preventDefault();
    chat.sendMessage({ text });
    setText("");
  };
  const stop = async () => {
    await fetch(`/api/chat/${id}/stop`, { method: "POST" });
    chat.stop();
  };
  return el("main", { id: "page", "data-status": chat.status, "data-error": chat.error?.message ?? "" },
    ...chat.messages.map((message) =>
      el("article", { key: message.id, "data-role": message.role, "data-parts": message.parts.map((part) => part.type).join(" ") },
        message.parts.map((part) => (part.type === "text" ? part.text : "")).join(""))),
    el("form", { onSubmit: send },
      el("input", { id: "question", value: text, onChange: (event) => setText(event.target.value) }),
      el("button", { id: "send" }, "Send"),
      el("button", { id: "stop", type: "button", onClick: stop }, "Stop")));
}

const kept = await fetch(`/api/chat/${id}`);
const messages = kept.ok ? (await kept.json()).messages : [];
createRoot(document.body).render(el(Page, { messages, resume: kept.ok }));
