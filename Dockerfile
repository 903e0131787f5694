# The studio in a container, its searches compiled beforehand:
#   docker build -t outplay . && docker run --rm -p 8321:8321 outplay
# and in a browser http://localhost:8321. Any other command works, too: docker run --rm outplay best tic-tac-toe
FROM python:3.12-slim

WORKDIR /src
COPY pyproject.toml README.md LICENSE MANIFEST.in ./
COPY outplay ./outplay
RUN pip install --no-cache-dir ".[studio]" && useradd --create-home player

USER player
WORKDIR /home/player
ARG WARM="tic-tac-toe connect-four chess othello go nim"
RUN outplay warm $WARM

EXPOSE 8321
ENTRYPOINT ["outplay"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8321"]
