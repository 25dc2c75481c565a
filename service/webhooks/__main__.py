"""`python -m service.webhooks`: the older name of `service.webhook_sender`, for units that are installed."""

from service.webhook_sender import main

if __name__ == "__main__":
    main()
