"""`python -m service.web`: the HTTP interface."""

import gc


def main() -> None:
    """Serve until SIGTERM or SIGINT; status 2 where settings, catalogues, queue, store or keys are refused."""
    # Nearly nothing of what is imported is garbage: to look for it in between takes a fifth of the time. It is
    # looked again before anything is served (`service.server.web_process`).
    gc.disable()
    from service.server.web_process import serve  # noqa: PLC0415

    serve()


if __name__ == "__main__":
    main()
